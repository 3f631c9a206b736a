import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import frame from '../../components/sign-in/sign-in-page.module.css'
import { SignInPage } from '../../components/sign-in/sign-in-page.tsx'
import { ApiError, call } from '../../lib/api/api.ts'
import { calls, type DataOf, type showOrganisationInvitation } from '../../lib/api/contract.ts'
import { forgetUser, storeUser, useSession } from '../../lib/api/session.ts'
import { verifySession } from '../../lib/api/verify-session.ts'
import { invitationPlace } from '../../lib/sign-in/kept-invitation.ts'
import { useSubmit } from '../../lib/submit.ts'
import { errorText } from '../../lib/text/error-text.ts'
import { useJoinMessages } from './messages.ts'

const pattern = /^[A-Za-z0-9]{43}$/

/** Keeps the secret of a link in this tab, so that the pages before joining do not carry it in their addresses. */
const keepInvitation = (secret: string): void => {
  if (pattern.test(secret)) sessionStorage.setItem(invitationPlace, secret)
}

/** The secret of the link that was opened last; undefined without a whole one. */
export const keptInvitation = (): string | undefined => {
  const kept = sessionStorage.getItem(invitationPlace) ?? ''
  return pattern.test(kept) ? kept : undefined
}

/** The invitation was used, or cannot be. */
const forgetInvitation = (): void => sessionStorage.removeItem(invitationPlace)

type Invitation = DataOf<typeof showOrganisationInvitation>

/** Sign-in and registration come back here; the secret waits in this tab. */
const next = { next: '/join' }

const SignInFirst = () => {
  const say = useJoinMessages()
  return (
    <>
      <p className="muted">{say('signInFirst')}</p>
      <Link to="/login" search={next} className={frame.submit}>
        {say('login')}
      </Link>
      <p className={frame.other}>
        <Link to="/register" search={next}>
          {say('register')}
        </Link>
      </p>
    </>
  )
}

const JoinButton = ({ secret, invitation }: { secret: string; invitation: Invitation }) => {
  const say = useJoinMessages()
  const navigate = useNavigate()
  const user = useSession()
  const [problem, setProblem] = useState<string>()
  const [isOther, setOther] = useState(false)
  const join = useSubmit(async (): Promise<void> => {
    const { id } = await call(calls.acceptOrganisationInvitation, { body: { secret } })
    forgetInvitation()
    if (user) storeUser({ ...user, organisations: 'belongs' })
    await navigate({ to: '/organisation/$id', params: { id: String(id) } })
  })
  const accept = (): void => {
    setProblem(undefined)
    join.submit().catch((error: unknown) => {
      const wrong = error instanceof ApiError && error.code === 'invitation_of_another_address'
      setOther(wrong)
      setProblem(wrong ? say('wrongPerson') : errorText(error))
    })
  }
  const leave = async (): Promise<void> => {
    await call(calls.logout).catch(() => undefined)
    forgetUser()
    await navigate({ to: '/login', search: next })
  }
  return (
    <>
      {invitation.email !== '' && <p className="muted">{say('forAddress', { email: invitation.email })}</p>}
      <p className="muted">{say('signedInAs', { name: user?.display_name || user?.username || '' })}</p>
      <div role="alert">{problem && <div className={frame.problem}>{problem}</div>}</div>
      <button type="button" className={frame.submit} disabled={join.busy} aria-busy={join.busy} onClick={accept}>
        {join.busy ? say('busy') : say('join')}
      </button>
      {isOther && (
        <p className={frame.other}>
          <button type="button" className="text-button" onClick={() => void leave()}>
            {say('other')}
          </button>
        </p>
      )}
    </>
  )
}

const Problem = ({ text, signedIn }: { text: string; signedIn: boolean }) => {
  const say = useJoinMessages()
  return (
    <>
      <div role="alert">
        <div className={frame.problem}>{text}</div>
      </div>
      <p className={frame.other}>
        {signedIn ? <Link to="/organisation">{say('toOrganisation')}</Link> : <Link to="/">{say('home')}</Link>}
      </p>
    </>
  )
}

/** Page of an invitation's link: shows who invites whom, asks to sign in, and joins. */
export const JoinScreen = () => {
  const say = useJoinMessages()
  const user = useSession()
  const [secret] = useState(() => {
    keepInvitation(location.hash.slice(1))
    return keptInvitation()
  })
  const [known, setKnown] = useState(false)
  const [invitation, setInvitation] = useState<Invitation>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    void verifySession().finally(() => setKnown(true))
    if (secret === undefined) return
    // It must not stay in the history of the browser.
    history.replaceState(history.state, '', location.pathname)
    call(calls.showOrganisationInvitation, { body: { secret } }).then(setInvitation, (error: unknown) => {
      forgetInvitation()
      setProblem(errorText(error))
    })
  }, [secret])
  const failure = secret === undefined ? say('noLink') : problem
  return (
    <SignInPage>
      <div className={frame.form}>
        <h1>{invitation ? say('title', { name: invitation.organisation }) : say('titlePlain')}</h1>
        {failure !== undefined ? (
          <Problem text={failure} signedIn={user !== undefined} />
        ) : invitation && known && secret !== undefined ? (
          <>
            <p>
              {say(invitation.team === '' ? 'invites' : 'invitesTeam', {
                organisation: invitation.organisation,
                team: invitation.team,
                role: say(invitation.role),
              })}
            </p>
            {user ? <JoinButton secret={secret} invitation={invitation} /> : <SignInFirst />}
          </>
        ) : (
          <p className="muted" aria-busy="true">
            {say('reading')}
          </p>
        )}
      </div>
    </SignInPage>
  )
}
