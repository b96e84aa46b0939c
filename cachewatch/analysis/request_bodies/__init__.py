"""Two request bodies, compared as a prompt cache reads them: where the shared prefix ends, and why."""
