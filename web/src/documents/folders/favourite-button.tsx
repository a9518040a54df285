import { setFavourite } from '../../data/folders.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './favourite-button.module.css'
import { t } from '../../locales/text.ts'

type Props = { id: string; name: string; isFavourite: boolean }

/** A star that is filled for a favourite of one's own. */
export function FavouriteButton({ id, name, isFavourite }: Props) {
  return (
    <IconButton
      icon="star"
      label={t('Favorite: {name}', { name })}
      aria-pressed={isFavourite}
      className={styles.star}
      onClick={() => void setFavourite(id, !isFavourite)}
    />
  )
}
