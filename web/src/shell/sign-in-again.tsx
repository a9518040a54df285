import { signedIn } from '../api/signed-in.ts'
import { keys } from '../data/keys.ts'
import { queryClient } from '../data/query-client.ts'
import { useSession } from '../data/session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { SignInForm } from './sign-in.tsx'
import { t } from '../locales/text.ts'

/** The sign-in above the page after the session has ended: typed text stays, and the interrupted action continues. */
export default function SignInAgain() {
  const { user } = useSession()
  return (
    <Dialog
      open
      onOpenChange={() => {}}
      title={t('You were signed out')}
      description={t('Sign in again to go on where you were. Nothing that you typed is lost.')}
    >
      <SignInForm
        email={user.email}
        isKnown
        onSignedIn={(session) => {
          if (session.user.user_id !== user.user_id) {
            signedIn.abandon()
            location.assign('/')
          } else queryClient.setQueryData(keys.session, session)
        }}
      />
    </Dialog>
  )
}
