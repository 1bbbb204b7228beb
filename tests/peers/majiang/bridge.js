/*
 * @kobalab/majiang-ai as an mjai program: a JSON event a line in, a line out for each.
 * Tiles: mjai "5mr", "E" .. "C"; majiang "m0", "z1" .. "z7". Seats: mjai absolute; majiang "l", counted from the dealer.
 */
"use strict";

const readline = require("readline");
const Majiang = require("@kobalab/majiang-core");
const AI = require("@kobalab/majiang-ai");

const HONOURS = "ESWNPFC";
const FROM = ["", "+", "=", "-"]; // by relative seat: right, across, left

let seat, dealer, ai, drawn, riichi, planned, afterKan;

function tile(name) {
  if (name === "?") return "";
  const honour = HONOURS.indexOf(name);
  if (honour >= 0) return "z" + (honour + 1);
  return name[1] + (name[2] === "r" ? "0" : name[0]);
}

function name(p) {
  if (p[0] === "z") return HONOURS[+p[1] - 1];
  return p[1] === "0" ? "5" + p[0] + "r" : p[1] + p[0];
}

const wind = (actor) => (actor - dealer + 4) % 4;

/* The digits of tiles of one suit, as majiang orders them: a red five beside the plain ones. */
const digits = (tiles) => tiles.map((p) => p[1]).sort((a, b) => (+a || 5) - (+b || 5) || a - b).join("");

function meld(line) {
  const own = line.consumed.map(tile);
  if (line.type === "ankan") return Majiang.Shoupai.valid_mianzi(own[0][0] + digits(own));
  const called = tile(line.pai);
  if (line.type === "kakan") {
    const pon = ai.shoupai_of(wind(line.actor))._fulou.find(
      (m) => m[0] === called[0] && /^[mpsz](\d)\d\d[\+\=\-]$/.test(m) && (+m[1] || 5) === (+called[1] || 5));
    return pon + called[1];
  }
  const from = FROM[(line.target - line.actor + 4) % 4];
  if (line.type !== "chi") return Majiang.Shoupai.valid_mianzi(own[0][0] + digits(own) + called[1] + from);
  const all = [...own.map((p) => p[1]), called[1] + from].sort((a, b) => (+a[0] || 5) - (+b[0] || 5));
  return own[0][0] + all.join("");
}

class Player extends AI {
  shoupai_of(l) { return this._model.shoupai[l]; }
}

function ask(message) {
  let reply = null;
  ai.action(message, (answer) => { reply = answer; });
  return reply || {};
}

function discard(p) {
  return { type: "dahai", actor: seat, pai: name(p), tsumogiri: p.includes("_") };
}

/* What majiang answers, in mjai. */
function say(reply, line) {
  if (reply.hule) {
    const target = line.actor;
    return { type: "hora", actor: seat, target, pai: line.pai };
  }
  if (reply.daopai && line.type === "tsumo") return { type: "ryukyoku", actor: seat, reason: "kyushukyuhai" };
  if (reply.dapai) {
    if (!reply.dapai.endsWith("*")) return discard(reply.dapai);
    planned = reply.dapai;
    return { type: "reach", actor: seat };
  }
  if (reply.gang) {
    const suit = reply.gang[0], kakan = reply.gang.match(/[\+\=\-](\d)$/);
    const tiles = reply.gang.slice(1).match(/\d/g).map((d) => name(suit + d));
    if (!kakan) return { type: "ankan", actor: seat, consumed: tiles };
    return { type: "kakan", actor: seat, pai: tiles[3], consumed: tiles.slice(0, 3) };
  }
  if (reply.fulou) {
    const suit = reply.fulou[0], called = reply.fulou.match(/(\d)[\+\=\-]/)[1];
    const all = reply.fulou.slice(1).match(/\d/g);
    all.splice(all.indexOf(called), 1);
    const consumed = all.map((d) => name(suit + d));
    const run = new Set(reply.fulou.match(/\d/g).map((d) => +d || 5)).size > 1;
    const type = consumed.length === 3 ? "daiminkan" : run ? "chi" : "pon";
    return { type, actor: seat, target: line.actor, pai: name(suit + called), consumed };
  }
  return { type: "none" };
}

const HANDLERS = {
  start_game(line) {
    seat = line.id;
    ai = new Player();
    const rule = Majiang.rule({ "場数": line.kyoku_first === 4 ? 1 : 2, "ダブル役満あり": false });
    ask({ kaiju: { id: seat, rule, title: "", player: line.names, qijia: 0 } });
  },
  start_kyoku(line) {
    dealer = line.oya;
    planned = null;
    riichi = afterKan = false;
    const byWind = [0, 1, 2, 3].map((l) => (dealer + l) % 4);
    ask({ qipai: {
      zhuangfeng: HONOURS.indexOf(line.bakaze), jushu: dealer, changbang: line.honba, lizhibang: line.kyotaku,
      defen: byWind.map((each) => line.scores[each]), baopai: tile(line.dora_marker),
      shoupai: byWind.map((each) => each === seat ? hand(line.tehais[each]) : ""),
    } });
  },
  tsumo(line) {
    const message = { l: wind(line.actor), p: tile(line.pai) };
    const reply = ask(afterKan ? { gangzimo: message } : { zimo: message });
    afterKan = false;
    return reply;
  },
  reach(line) {
    riichi = true;
    if (line.actor === seat && planned) return { dapai: planned.replace("*", "") };
  },
  dahai(line) {
    const p = tile(line.pai) + (line.tsumogiri ? "_" : "") + (riichi ? "*" : "");
    riichi = false;
    return ask({ dapai: { l: wind(line.actor), p } });
  },
  chi: called, pon: called,
  daiminkan(line) { afterKan = true; return called(line); },
  ankan: kan, kakan: kan,
  dora(line) { ask({ kaigang: { baopai: tile(line.dora_marker) } }); },
};

function called(line) { return ask({ fulou: { l: wind(line.actor), m: meld(line) } }); }
function kan(line) { afterKan = true; return ask({ gang: { l: wind(line.actor), m: meld(line) } }); }
function hand(tiles) {
  const suits = { m: [], p: [], s: [], z: [] };
  for (const p of tiles.map(tile)) suits[p[0]].push(p);
  return Object.keys(suits).map((suit) => suits[suit].length ? suit + digits(suits[suit]) : "").join("");
}

readline.createInterface({ input: process.stdin }).on("line", (text) => {
  const line = JSON.parse(text);
  const handler = HANDLERS[line.type];
  const reply = (handler && handler(line)) || {};
  process.stdout.write(JSON.stringify(say(reply, line)) + "\n");
});
