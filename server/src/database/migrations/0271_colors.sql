-- Colors are hexadecimal. Another word had no effect on pages of surveys, and bodies that send back what a read
-- shows would be refused for it.
update surveys set background_color = null
  where background_color <> '' and background_color !~* '^#([0-9a-f]{3}|[0-9a-f]{6})$';
update surveys set action_color = null
  where action_color <> '' and action_color !~* '^#([0-9a-f]{3}|[0-9a-f]{6})$';
update statuses set color = null
  where color <> '' and color !~* '^#([0-9a-f]{3}|[0-9a-f]{6})$';
update stages set color = null
  where color <> '' and color !~* '^#([0-9a-f]{3}|[0-9a-f]{6})$';
