"""A small mjlog, and its parts."""

from __future__ import annotations

HEAD = (
    '<mjloggm ver="2.3"><SHUFFLE seed="mt19937ar-sha512-n288-base64,pc48FRyW" ref=""/>'
    '<GO type="9" lobby="0"/>'
    '<UN n0="%E2%93%9D%4C" n1="" n2="%22%3C%26%3E" n3="D" dan="8,8,6,11" rate="1478.50,1652.76,1520.54,1802.91"'
    ' sx="M,F,M,C"/><TAIKYOKU oya="0"/>'
)
DEAL = '<INIT seed="0,0,0,3,4,61" ten="250,250,250,250" oya="0" hai0="{}" hai1="{}" hai2="{}" hai3="{}"/>'.format(
    "0,4,8,68,72,76,104,105,106,108,109,112,113",
    "1,5,9,13,17,21,25,29,33,37,41,45,49",
    "2,6,10,14,18,22,26,30,34,38,42,46,50",
    "3,7,11,15,19,23,27,31,35,39,43,47,51",
)
RIICHI = '<T114/><REACH who="0" step="1"/><D8/><REACH who="0" ten="240,250,250,250" step="2"/>'
PLAY = RIICHI + (
    '<U107/><E1/><AGARI ba="0,1" hai="0,1,4,68,72,76,104,105,106,108,109,112,113,114" machi="1" ten="40,2600,0" '
    'yaku="1,1,53,0" doraHai="61" doraHaiUra="60" who="0" fromWho="1" sc="240,36,250,-26,250,0,250,0" '
    'owari="276,27.0,224,2.0,250,-9.5,250,-19.5"/>'
)
END = "</mjloggm>"
LOG = HEAD + DEAL + PLAY + END
