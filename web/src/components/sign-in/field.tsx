import { type InputHTMLAttributes, type ReactNode, useState } from 'react'
import { entranceShapes, LineIcon } from '../display/line-icon.tsx'
import { useSignInMessages } from './messages.ts'
import classes from './sign-in-page.module.css'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  /** Also the input's id. */
  name: string
  label: string
  hint?: string | undefined
  /** The error of the field; replaces the hint. */
  wrong?: string | undefined
}

const remarkId = (name: string): string => `${name}-remark`

/** The label above the control and the remark below it. */
const Labelled = ({ name, label, hint, wrong, children }: FieldProps & { children: ReactNode }) => {
  const remark = wrong ?? hint
  return (
    <div className={classes.field}>
      <label htmlFor={name}>{label}</label>
      {children}
      {remark !== undefined && (
        <p id={remarkId(name)} className={wrong === undefined ? classes.hint : classes.wrong}>
          {remark}
        </p>
      )}
    </div>
  )
}

/** The attributes of the input: its own, and those that name its label and its remark. */
const inputProps = ({ label: _, hint, wrong, ...input }: FieldProps): InputHTMLAttributes<HTMLInputElement> => ({
  ...input,
  id: input.name,
  'aria-invalid': wrong !== undefined,
  ...(wrong === undefined && hint === undefined ? {} : { 'aria-describedby': remarkId(input.name) }),
})

/** A labelled input of the sign-in pages; `button` is drawn on its right. */
export const Field = ({ button, ...props }: FieldProps & { button?: ReactNode }) => {
  const control = <input autoCapitalize="none" spellCheck={false} {...inputProps(props)} />
  return (
    <Labelled {...props}>
      {button ? (
        <div className={classes.withButton}>
          {control}
          {button}
        </div>
      ) : (
        control
      )}
    </Labelled>
  )
}

/** A password that can be shown. */
export const SecretField = (props: FieldProps) => {
  const say = useSignInMessages()
  const [shown, setShown] = useState(false)
  return (
    <Labelled {...props}>
      <div className={classes.secret}>
        <input {...inputProps(props)} type={shown ? 'text' : 'password'} />
        <button type="button" aria-label={shown ? say('hide') : say('show')} onClick={() => setShown(!shown)}>
          <LineIcon shape={entranceShapes.eye} />
        </button>
      </div>
    </Labelled>
  )
}
