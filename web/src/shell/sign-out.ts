import { signOut } from '../api/session.ts'
import { notifyRefusal } from '../data/change.ts'
import { forgetCopied } from '../surveys/builder/forget-copied.ts'
import { forgetRecent } from './palette/recent.ts'

/** Ends the session in all tabs of this browser, and removes the person's data from it. */
export function signOutHere(user: string): void {
  void signOut()
    .then(() => {
      forgetRecent(user)
      forgetCopied()
      sessionStorage.clear()
      location.assign('/')
    })
    .catch(notifyRefusal)
}
