"""The DAG search: one-player mahjong solved backward over own draws left (Kurita & Hoki)."""
