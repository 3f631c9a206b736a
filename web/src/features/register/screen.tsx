import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { type Problem, problemOf, SignInProblem } from '../../components/sign-in/problem.tsx'
import classes from '../../components/sign-in/sign-in-page.module.css'
import { SignInPage } from '../../components/sign-in/sign-in-page.tsx'
import { keepInviteCode } from '../../lib/sign-in/invite-code.ts'
import { type SiteStatus, useStatus } from '../../lib/status.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { RegisterForm } from './form.tsx'
import { useRegisterMessages } from './messages.ts'

const ThirdParty = lazy(async () => ({
  default: (await import('../../components/sign-in/third-party/third-party.tsx')).ThirdParty,
}))

const isClosed = ({ register_enabled, self_use_mode_enabled }: SiteStatus): boolean =>
  register_enabled === false || self_use_mode_enabled

const Open = () => {
  const say = useRegisterMessages()
  const withPassword = useStatus().password_register_enabled !== false
  const [problem, setProblem] = useState<Problem>()
  return (
    <>
      <p className="muted">{say('text')}</p>
      {withPassword ? <RegisterForm /> : <p className={classes.remark}>{say('noPassword')}</p>}
      <SignInProblem problem={problem} />
      <Suspense>
        <ThirdParty onFail={(error) => setProblem(problemOf(error))} />
      </Suspense>
    </>
  )
}

/** The registration page; an invite link leads here with its code in `aff`. */
export const RegisterScreen = () => {
  const say = useRegisterMessages()
  const closed = isClosed(useStatus())
  const [search] = useSearchParams()
  useEffect(() => keepInviteCode(search.aff), [search.aff])
  return (
    <SignInPage>
      <div className={classes.form}>
        <h1>{say('title')}</h1>
        {closed ? (
          <>
            <p className={classes.remark}>{say('closed')}</p>
            <p className="muted">{say('closedText')}</p>
          </>
        ) : (
          <Open />
        )}
        <p className={classes.other}>
          {say('haveAccount')}{' '}
          <Link to="/login" search={search.next ? { next: search.next } : {}}>
            {say('login')}
          </Link>
        </p>
      </div>
    </SignInPage>
  )
}
