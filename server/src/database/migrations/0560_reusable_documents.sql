select add_field('documents', 'is_reusable', 'boolean', 'false');
