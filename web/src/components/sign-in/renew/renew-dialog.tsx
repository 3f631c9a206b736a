import { Button, Group, Modal, PasswordInput, TextInput } from '@mantine/core'
import { longestCode } from '@tollgate/contract/accounts/account-rules'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError, call } from '../../../lib/api/api.ts'
import { calls, type SignInResult } from '../../../lib/api/contract.ts'
import { textIn, useLanguage } from '../../../lib/i18n.ts'
import { useSubmit } from '../../../lib/submit.ts'
import { errorText } from '../../../lib/text/error-text.ts'
import { belowBase } from '../../../lib/url/page-paths.ts'
import { HumanCheckWidget, useTurnstile } from '../../identity/turnstile.tsx'
import type { ShownSignInWay } from '../../parts/sign-in-way.ts'
import { possibleSignInWays } from '../../parts/sign-in-ways.ts'
import { useRenewMessages } from './messages.ts'
import classes from './renew.module.css'
import { useRenewing } from './use-renewing.ts'

// Over sheets and other dialogs, under the notifications.
const zIndex = 460

interface StepProps {
  onResult: (result: SignInResult) => void
  onLater: () => void
}

interface QuestionProps extends Pick<StepProps, 'onLater'> {
  busy: boolean
  problem: string | undefined
  onSubmit: () => void
  children: ReactNode
}

/** A step's fields over its buttons, with what went wrong between them. */
const Question = ({ busy, problem, onSubmit, onLater, children }: QuestionProps) => {
  const say = useRenewMessages()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // React passes the event on to the form that the dialog stands over.
    event.stopPropagation()
    onSubmit()
  }
  return (
    <form onSubmit={submit} noValidate>
      {children}
      <div role="alert">{problem && <p className={classes.problem}>{problem}</p>}</div>
      <Group justify="flex-end" mt="lg" gap={8}>
        <Button onClick={onLater} disabled={busy}>
          {say('later')}
        </Button>
        <Button type="submit" variant="filled" loading={busy}>
          {say('submit')}
        </Button>
      </Group>
    </form>
  )
}

const Password = ({ username, onResult, onLater }: StepProps & { username: string }) => {
  const say = useRenewMessages()
  const language = useLanguage()
  const human = useTurnstile('login')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const fail = (error: unknown): void => setProblem(errorText(error))
  const byPassword = useSubmit(async (turnstile: string): Promise<void> => {
    onResult(await call(calls.login, { query: { turnstile }, body: { username, password } }))
  })
  const byOther = useSubmit(async (way: ShownSignInWay): Promise<void> => {
    const result = await way.signIn()
    if (result) onResult(result)
  })
  const submit = () => {
    if (password === '') return setProblem(say('missing'))
    const turnstile = human.take()
    if (turnstile === undefined) return setProblem(human.wait)
    setProblem(undefined)
    byPassword.submit(turnstile).catch(fail)
  }
  return (
    <Question busy={byPassword.busy || byOther.busy} problem={problem} onSubmit={submit} onLater={onLater}>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        label={say('password')}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        data-autofocus
      />
      <HumanCheckWidget {...human} />
      <div className={classes.links}>
        {possibleSignInWays().map((way) => (
          <button
            key={way.method}
            type="button"
            className="text-button"
            onClick={() => void byOther.submit(way).catch(fail)}
          >
            {textIn(way.shortTitle, language)}
          </button>
        ))}
        <a href={belowBase('/login')} target="_blank" rel="noopener">
          {say('otherWays')}
        </a>
      </div>
    </Question>
  )
}

const Code = ({ onResult, onLater, onExpired }: StepProps & { onExpired: () => void }) => {
  const say = useRenewMessages()
  const [recovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const prove = useSubmit(async (): Promise<void> => onResult(await call(calls.secondStep, { body: { code } })))
  const fail = (error: unknown): void => {
    if (error instanceof ApiError && error.code === 'second_step_expired') onExpired()
    else setProblem(errorText(error))
  }
  const submit = () => {
    if (code.trim() === '') return setProblem(say('missing'))
    setProblem(undefined)
    prove.submit().catch(fail)
  }
  return (
    <Question busy={prove.busy} problem={problem} onSubmit={submit} onLater={onLater}>
      <TextInput
        key={String(recovery)}
        label={recovery ? say('recovery') : say('code')}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        inputMode={recovery ? 'text' : 'numeric'}
        autoComplete={recovery ? 'off' : 'one-time-code'}
        maxLength={longestCode}
        classNames={{ input: 'mono' }}
        autoFocus
      />
      <div className={classes.links}>
        <button type="button" className="text-button" onClick={() => setRecovery(!recovery)}>
          {recovery ? say('useCode') : say('useRecovery')}
        </button>
      </div>
    </Question>
  )
}

/** Signs the user of this page in again; what they were doing stays as it is under the dialog. */
export const RenewDialog = () => {
  const say = useRenewMessages()
  const { user, other, needsCode, enter, startOver, putOff, goOnAsOther } = useRenewing()
  const name = user?.username ?? ''
  return (
    <Modal
      opened
      onClose={putOff}
      closeOnClickOutside={false}
      title={<strong className="strong">{other ? say('otherTitle') : say('title')}</strong>}
      withCloseButton={false}
      overlayProps={{ blur: 4 }}
      zIndex={zIndex}
    >
      <p className={`muted ${classes.text}`}>
        {other ? say('otherText', { name, other: other.username }) : say('text', { name })}
      </p>
      {other ? (
        <Group justify="flex-end" gap={8}>
          <Button onClick={goOnAsOther}>{say('goOn', { name: other.username })}</Button>
          <Button variant="filled" onClick={startOver} data-autofocus>
            {say('again', { name })}
          </Button>
        </Group>
      ) : needsCode ? (
        <Code onResult={enter} onLater={putOff} onExpired={startOver} />
      ) : (
        <Password username={name} onResult={enter} onLater={putOff} />
      )}
    </Modal>
  )
}
