import { type InputHTMLAttributes, type ReactNode, useState } from 'react'
import { Icon } from '../display/icon.tsx'
import { useSignInWords } from './messages.ts'
import classes from './sign-in-page.module.css'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  /** Also the input's id. */
  name: string
  label: string
  hint?: string | undefined
  /** The error of the field; replaces the hint. */
  wrong?: string | undefined
}

/** The label above, the remark below, and how the input names them. */
const useLabels = ({ name, label, hint, wrong }: FieldProps) => {
  const remark = wrong ?? hint
  const id = `${name}-remark`
  const wrap = (control: ReactNode): ReactNode => (
    <div className={classes.field}>
      <label htmlFor={name}>{label}</label>
      {control}
      {remark !== undefined && (
        <p id={id} className={wrong === undefined ? classes.hint : classes.wrong}>
          {remark}
        </p>
      )}
    </div>
  )
  const described = remark === undefined ? {} : { 'aria-describedby': id }
  return { wrap, labels: { id: name, name, 'aria-invalid': wrong !== undefined, ...described } }
}

/** A labelled input of the sign-in pages; `button` is drawn on its right. */
export const Field = ({ button, ...props }: FieldProps & { button?: ReactNode }) => {
  const { wrap, labels } = useLabels(props)
  const { label: _, hint: __, wrong: ___, ...input } = props
  const control = <input autoCapitalize="none" spellCheck={false} {...input} {...labels} />
  if (!button) return wrap(control)
  return wrap(
    <div className={classes.withButton}>
      {control}
      {button}
    </div>,
  )
}

/** A password that can be shown. */
export const SecretField = (props: FieldProps) => {
  const say = useSignInWords()
  const [shown, setShown] = useState(false)
  const { wrap, labels } = useLabels(props)
  const { label: _, hint: __, wrong: ___, ...input } = props
  return wrap(
    <div className={classes.secret}>
      <input {...input} {...labels} type={shown ? 'text' : 'password'} />
      <button type="button" aria-label={shown ? say('hide') : say('show')} onClick={() => setShown(!shown)}>
        <Icon name="eye" />
      </button>
    </div>,
  )
}
