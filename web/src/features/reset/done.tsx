import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Field } from '../../components/sign-in/field.tsx'
import classes from '../../components/sign-in/sign-in-page.module.css'
import { useResetMessages } from './messages.ts'

/** The password that the server made, copied at once where the browser allows it. */
const Made = ({ password }: { password: string }) => {
  const say = useResetMessages()
  const [copied, setCopied] = useState<boolean>()
  const first = useRef(true)
  const copy = (): void => {
    const writing = navigator.clipboard?.writeText(password) ?? Promise.reject(new Error('no clipboard'))
    writing.then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  // The press of the button before still counts as the person's own act, which browsers ask for.
  useEffect(() => {
    if (first.current) copy()
    first.current = false
  })
  return (
    <>
      <Field
        name="made"
        label={say('made')}
        hint={say('madeText')}
        value={password}
        readOnly
        className="mono"
        onFocus={(event) => event.currentTarget.select()}
        button={
          <button type="button" onClick={copy}>
            {say('copy')}
          </button>
        }
      />
      <p role="status" className="muted">
        {copied === undefined ? '' : copied ? say('copied') : say('copyFailed')}
      </p>
    </>
  )
}

/** Replaces the form after the reset; `made` is empty if the user chose the password. */
export const ResetDone = ({ made }: { made: string }) => {
  const say = useResetMessages()
  return (
    <>
      <div role="status" className={classes.done}>
        {say('done')}
      </div>
      {made === '' ? <p className="muted">{say('doneText')}</p> : <Made password={made} />}
      <p className={classes.other}>
        <Link to="/login">{say('goLogin')}</Link>
      </p>
    </>
  )
}
