import { longestCode } from '@tollgate/contract/accounts/account-rules'
import { type FormEvent, useState } from 'react'
import { useFinishSignIn } from '../../components/sign-in/finish-sign-in.ts'
import frame from '../../components/sign-in/sign-in-page.module.css'
import { ApiError, call } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import { useSubmit } from '../../lib/submit.ts'
import { errorText } from '../../lib/text/error-text.ts'
import classes from './login.module.css'
import { useSecondStepMessages } from './second-step-messages.ts'

/** Asks for the second factor after the first was right; `onBack` starts over, with a reason when it took too long. */
export const SecondStep = ({ onBack }: { onBack: (reason?: string) => void }) => {
  const say = useSecondStepMessages()
  const enter = useFinishSignIn()
  const [recovery, setRecovery] = useState(false)
  const [problem, setProblem] = useState<string>()

  const prove = useSubmit(async (code: string) => enter(await call(calls.secondStep, { body: { code } })))
  const fail = (error: unknown): void => {
    if (error instanceof ApiError && error.code === 'second_step_expired') onBack(error.message)
    else setProblem(errorText(error))
  }
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code') ?? '').trim()
    if (code === '') return setProblem(say('missing'))
    setProblem(undefined)
    await prove.submit(code).catch(fail)
  }
  return (
    <form className={frame.form} onSubmit={(event) => void submit(event)} noValidate>
      <h1>{say('title')}</h1>
      <p className="muted">{recovery ? say('recoveryText') : say('text')}</p>
      <div role="alert">{problem && <div className={frame.problem}>{problem}</div>}</div>
      <div className={frame.field}>
        <label htmlFor="code">{recovery ? say('recovery') : say('code')}</label>
        <input
          key={recovery ? 'recovery' : 'code'}
          id="code"
          name="code"
          // biome-ignore lint/a11y/noAutofocus: the page consists of this one question, which follows a press of the button
          autoFocus
          autoComplete={recovery ? 'off' : 'one-time-code'}
          inputMode={recovery ? 'text' : 'numeric'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={longestCode}
        />
      </div>
      <button type="submit" className={frame.submit} disabled={prove.busy} aria-busy={prove.busy}>
        {prove.busy ? say('busy') : say('submit')}
      </button>
      <p className={classes.stepLinks}>
        <button type="button" className="text-button" onClick={() => setRecovery(!recovery)}>
          {recovery ? say('useCode') : say('useRecovery')}
        </button>
        <button type="button" className="text-button" onClick={() => onBack()}>
          {say('back')}
        </button>
      </p>
    </form>
  )
}
