"""What long runs share: their input, work spread over processes, progress, and a journal to continue from."""
