"""What answers the interpreter: runs, resumes, replays, forks, previews."""
