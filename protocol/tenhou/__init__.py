"""The Tenhou wire protocol: messages, their two text forms, the session, translation to engine events."""
