select add_field('tasks', 'asks_for_file', 'boolean', 'false');
