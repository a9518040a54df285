import type { Arrangement, Home, HomeCard } from '../data/home.ts'
import { notifyRefusal } from '../data/change.ts'
import { arrangeHome } from '../data/home.ts'
import { useSession } from '../data/session.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { RadioGroup } from '../ui/radio.tsx'
import styles from './home.module.css'
import { cardWords } from './words.ts'
import { inSentence, t } from '../locales/text.ts'

const roles: { value: Home['role']; label: string }[] = [
  { value: 'delivery', label: t('Delivery') },
  { value: 'sales', label: t('Sales') },
  { value: 'success', label: t('Customer success') },
  { value: 'manager', label: t('Manager') },
]

type Props = { home: Home; onClose: () => void }

/** What one does, and which cards stand at the right in which order; each choice is saved at once. */
export default function Arrange({ home, onClose }: Props) {
  const { home: found } = useSession().preferences as { home?: Arrangement | null }
  const stored = found ?? null
  const chosen = stored?.cards ?? home.cards.map(({ card }) => card)
  // what was chosen once may have gone with a right
  const shown = chosen.filter((card) => home.available.includes(card))
  const hidden = home.available.filter((card) => !shown.includes(card))
  const guess = roles.find(({ value }) => value === home.guessed)?.label
  const arrange = (next: Arrangement | null, message: string) =>
    void arrangeHome(next, stored, message).catch(notifyRefusal)
  const set = (cards: HomeCard['card'][], message: string) =>
    arrange({ ...(stored?.role ? { role: stored.role } : {}), cards }, message)
  const move = (card: HomeCard['card'], by: number) => {
    const at = shown.indexOf(card)
    const without = shown.toSpliced(at, 1)
    set(without.toSpliced(at + by, 0, card), t('{title} moved', { title: cardWords[card].title }))
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Arrange Home')}
      footer={
        stored ? (
          <Button onClick={() => arrange(null, t('Home is as usual again'))}>
            {t('Back to the usual')}
          </Button>
        ) : undefined
      }
    >
      <Field label={t('What you do')} hint={t('By what you own: {role}', { role: guess })}>
        <RadioGroup
          value={stored?.role ?? home.role}
          options={roles}
          onChange={(value) => {
            const role = roles.find((each) => each.value === value)
            if (role)
              arrange(
                { role: role.value },
                t('Home is for {role}', { role: inSentence(role.label) }),
              )
          }}
        />
      </Field>
      <h3 id="home-cards" className={styles.arranged}>
        {t('Cards')}
      </h3>
      <ul className={styles.choices} aria-labelledby="home-cards">
        {[...shown, ...hidden].map((card) => {
          const { title } = cardWords[card]
          const at = shown.indexOf(card)
          return (
            <li key={card}>
              <Checkbox
                checked={at >= 0}
                onChange={(isShown) =>
                  isShown
                    ? set([...shown, card], t('{title} is shown', { title }))
                    : set(
                        shown.filter((each) => each !== card),
                        t('{title} is hidden', { title }),
                      )
                }
              >
                {title}
              </Checkbox>
              {at >= 0 ? (
                <span>
                  <IconButton
                    size="small"
                    icon="arrow-up"
                    label={t('Move {title} up', { title })}
                    aria-disabled={at === 0}
                    onClick={() => at > 0 && move(card, -1)}
                  />
                  <IconButton
                    size="small"
                    icon="arrow-down"
                    label={t('Move {title} down', { title })}
                    aria-disabled={at === shown.length - 1}
                    onClick={() => at < shown.length - 1 && move(card, 1)}
                  />
                </span>
              ) : null}
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
