"""Evolved networks that value hands, the inputs they see, and the one-player mahjong in which they are bred."""
