import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { call } from '../../../lib/api/api.ts'
import { calls } from '../../../lib/api/contract.ts'
import { inviteCode } from '../../../lib/sign-in/invite-code.ts'
import { useStatus } from '../../../lib/status.ts'
import { useSubmit } from '../../../lib/submit.ts'
import { errorText } from '../../../lib/text/error-text.ts'
import { Field } from '../field.tsx'
import { useFinishSignIn } from '../finish-sign-in.ts'
import frame from '../sign-in-page.module.css'
import classes from './wechat-dialog.module.css'
import { useWeChatMessages } from './wechat-messages.ts'

interface WeChatDialogProps {
  onClose: () => void
  onSecondStep: () => void
}

/** Signs in with the code that the site's WeChat account answers with. */
export const WeChatDialog = ({ onClose, onSecondStep }: WeChatDialogProps) => {
  const say = useWeChatMessages()
  const { wechat_qrcode: picture } = useStatus()
  const enter = useFinishSignIn()
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  const [problem, setProblem] = useState<string>()
  useEffect(() => dialog.current?.showModal(), [])

  const login = useSubmit(async (code: string): Promise<void> => {
    const result = await call(calls.weChatLogin, { query: { code, aff: inviteCode() } })
    if (!(await enter(result, { otherwise: '/' }))) onSecondStep()
  })
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    // The dialog belongs to the login form as far as React knows.
    event.stopPropagation()
    const code = String(new FormData(event.currentTarget).get('wechat-code') ?? '').trim()
    if (code === '') return setProblem(say('missing'))
    setProblem(undefined)
    await login.submit(code).catch((error: unknown) => setProblem(errorText(error)))
  }
  return createPortal(
    <dialog ref={dialog} className={classes.dialog} aria-labelledby={title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <h2 id={title}>{say('title')}</h2>
        {picture && <img className={classes.picture} src={picture} alt={say('picture')} />}
        <p className="muted">{say('text')}</p>
        <Field name="wechat-code" label={say('code')} autoComplete="one-time-code" wrong={problem} />
        <button type="submit" className={frame.submit} disabled={login.busy} aria-busy={login.busy}>
          {say('login')}
        </button>
        <button type="button" className={`${frame.plain} ${classes.cancel}`} onClick={() => dialog.current?.close()}>
          {say('cancel')}
        </button>
      </form>
    </dialog>,
    document.body,
  )
}
