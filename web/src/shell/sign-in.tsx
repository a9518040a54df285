import { useState } from 'react'
import { api } from '../api/client.ts'
import { asProblem } from '../api/problem.ts'
import { demoSignIn, signIn, type Session } from '../api/session.ts'
import { keys } from '../data/keys.ts'
import { queryClient } from '../data/query-client.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Logo } from './logo.tsx'
import styles from './sign-in.module.css'
import { language, t } from '../locales/text.ts'

/** The page for people who are not signed in. */
export function SignIn() {
  return (
    <main className={styles.page} id="main">
      <div className={styles.card}>
        <div className={styles.brand}>
          <Logo />
          <span>Perennial</span>
        </div>
        <h1>{t('Sign in')}</h1>
        <SignInForm
          email={demoSignIn?.email}
          password={demoSignIn?.password}
          onSignedIn={(session) => {
            // the document has the texts of one language
            if (session.user.language === language) queryClient.setQueryData(keys.session, session)
            else location.reload()
          }}
        />
        {demoSignIn ? (
          <p className={styles.note}>
            {`${t('This is the demonstration on this machine; its sign-in is filled in.')} `}
            {demoSignIn.setup ? (
              <a href={demoSignIn.setup}>{t('Start with your own organization')}</a>
            ) : null}
          </p>
        ) : null}
      </div>
    </main>
  )
}

type Props = {
  email?: string | undefined
  password?: string | undefined
  /** the person is known already, as in the dialog of an ended session */
  isKnown?: boolean
  onSignedIn: (session: Session) => void
}

type Step = 'password' | 'organization' | 'code' | keyof typeof mailed

/** The links that can be mailed, by what they are to. */
const mailed = {
  reset: {
    path: '/api/login/reset/',
    words: (email: string) =>
      t('If {email} belongs to somebody here, a link to choose a new password is on its way.', {
        email,
      }),
  },
  link: {
    path: '/api/session/link/',
    words: (email: string) =>
      t('If {email} belongs to somebody here, a link to sign in, for 15 minutes, is on its way.', {
        email,
      }),
  },
} as const

/** E-mail and password, then what else the server requires: which organization, a one-time code. */
export function SignInForm({ email = '', password = '', isKnown, onSignedIn }: Props) {
  const [values, setValues] = useState({ email, password, organization: '', code: '' })
  const [step, setStep] = useState<Step>('password')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const set = (name: keyof typeof values) => (value: string) =>
    setValues((before) => ({ ...before, [name]: value }))

  async function submit() {
    setBusy(true)
    setError(undefined)
    try {
      const { organization, code, ...credentials } = values
      onSignedIn(
        await signIn({
          ...credentials,
          ...(organization ? { organization } : {}),
          ...(code ? { code } : {}),
        }),
      )
    } catch (caught) {
      const problem = asProblem(caught)
      if (problem.code === 'code_required') setStep('code')
      else if (problem.of('organization')) setStep('organization')
      else setError(problem.message)
    } finally {
      setBusy(false)
    }
  }

  async function send(what: keyof typeof mailed) {
    setError(undefined)
    if (!values.email) {
      setError(t('Enter your e-mail address first'))
      return
    }
    try {
      await api.post(mailed[what].path, { body: { email: values.email } })
      setStep(what)
    } catch (caught) {
      setError(asProblem(caught).message)
    }
  }

  if (step === 'reset' || step === 'link') {
    return <p role="status">{mailed[step].words(values.email)}</p>
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Field label={t('E-mail')}>
        <TextField
          type="email"
          autoComplete="username"
          value={values.email}
          onChange={set('email')}
          readOnly={isKnown}
          autoFocus={!isKnown}
          required
        />
      </Field>
      <Field label={t('Password')}>
        <TextField
          type="password"
          autoComplete="current-password"
          value={values.password}
          onChange={set('password')}
          autoFocus={isKnown}
          required
        />
      </Field>
      {step === 'organization' ? (
        <Field label={t('Organization')} hint={t('Your e-mail address belongs to several.')}>
          <TextField value={values.organization} onChange={set('organization')} autoFocus />
        </Field>
      ) : null}
      {step === 'code' ? (
        <Field label={t('One-time code')} hint={t('From your authenticator, or a recovery code.')}>
          <TextField
            autoComplete="one-time-code"
            inputMode="numeric"
            value={values.code}
            onChange={set('code')}
            autoFocus
          />
        </Field>
      ) : null}
      {error ? (
        <p className={styles.error} role="alert">
          {error}
        </p>
      ) : null}
      <Button type="submit" variant="primary" size="large" busy={isBusy} wide>
        {t('Sign in')}
      </Button>
      {isKnown ? null : (
        <>
          <Button size="large" wide onClick={() => void send('link')}>
            {t('Email me a sign-in link')}
          </Button>
          <Button variant="quiet" wide onClick={() => void send('reset')}>
            {t('Forgot your password?')}
          </Button>
        </>
      )}
    </form>
  )
}
