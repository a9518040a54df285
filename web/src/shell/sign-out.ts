import { signOut } from '../api/session.ts'
import { notifyRefusal } from '../data/change.ts'
import { forgetRecent } from './palette/recent.ts'

/** Ends the session in all tabs of this browser, and leaves nothing of the person's in it. */
export function signOutHere(user: string): void {
  void signOut()
    .then(() => {
      forgetRecent(user)
      sessionStorage.clear()
      location.assign('/')
    })
    .catch(notifyRefusal)
}
