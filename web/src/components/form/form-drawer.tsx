import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useReadOnly } from '../../lib/api/staff.ts'
import { notifyInfo } from '../../lib/notify.tsx'
import { useSubmit } from '../../lib/submit.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Icon } from '../display/icon.tsx'
import { useUiMessages } from '../messages.ts'
import { ScrollFrame } from '../scroll-frame.tsx'
import { Sheet } from '../sheet.tsx'
import { Failure } from './failure.tsx'
import classes from './form-drawer.module.css'

/** Reasons by the names of refused fields. */
export type RefusedFields = Readonly<Record<string, ReactNode>>

/** The part of an @mantine/form form that the drawer uses. */
export interface DrawerForm<Values> {
  isDirty: () => boolean
  onSubmit: (
    handle: (values: Values) => void,
    onInvalid?: (errors?: RefusedFields) => void,
  ) => (event?: FormEvent<HTMLFormElement>) => void
}

export interface FormDrawerProps<Values> {
  title: ReactNode
  subtitle?: ReactNode
  form: DrawerForm<Values>
  /** Saves; what it throws is shown over the buttons, always in view, and the drawer stays open. */
  onSubmit: (values: Values) => Promise<unknown>
  /** Leaves the sheet's address, usually back to the list. Called after saving and after giving up. */
  onClose: () => void
  submitLabel?: string
  loading?: boolean
  /** Why the record could not be loaded. */
  loadError?: unknown
  onRetry?: () => void
  /** Keeps the sheet open after saving, e.g. to show a new key. */
  stayOpen?: boolean
  /** At the left of the buttons. */
  footer?: ReactNode
  width?: number
  /** Tabs of the fields: they stay usable where the form may only be looked at. */
  tabs?: ReactNode
  /** Called with what was refused before the first refused field is focused, e.g. to show its tab. */
  onInvalid?: (errors: RefusedFields) => void
  children: ReactNode
}

/** Focuses the first field that was refused, so that the error is read out with its field. */
const focusFirstInvalid = (form: HTMLFormElement | null): void => {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}

/**
 * The one form: a sheet with its own address, guarded against losing edits, saved with Ctrl+Enter. On a page that may only be
 * looked at it shows its fields, which cannot be changed.
 */
export const FormDrawer = <Values,>(props: FormDrawerProps<Values>) => {
  const say = useUiMessages()
  const isReadOnly = useReadOnly()
  const element = useRef<HTMLFormElement>(null)
  const leaving = useRef(false)
  const [asking, setAsking] = useState(false)

  const isGuarded = (): boolean => !leaving.current && props.form.isDirty()
  const blocker = useBlocker({ shouldBlockFn: isGuarded, enableBeforeUnload: isGuarded, withResolver: true })
  useUnsaved(isGuarded)
  const guard = asking || blocker.status === 'blocked'

  const close = (): void => {
    if (isGuarded()) setAsking(true)
    else props.onClose()
  }
  const keepEditing = (): void => {
    setAsking(false)
    blocker.reset?.()
  }
  const discard = (): void => {
    leaving.current = true
    if (blocker.status === 'blocked') blocker.proceed()
    else props.onClose()
  }
  const { submit, busy, error } = useSubmit(async (values: Values): Promise<void> => {
    await props.onSubmit(values)
    leaving.current = true
    if (!props.stayOpen) props.onClose()
  })
  const save = (values: Values): void => {
    if (isReadOnly) return
    if (busy) notifyInfo(say('duplicate'))
    // The failure is shown over the buttons; a form may have found the field that it is about.
    else submit(values).catch(() => focusFirstInvalid(element.current))
  }
  useHotkeys([['mod+Enter', () => element.current?.requestSubmit()]], [])

  const buttons = guard ? (
    <div className={classes.guard} role="alertdialog" aria-label={say('unsaved')}>
      <span>{say('unsaved')}</span>
      <Button onClick={keepEditing} data-autofocus>
        {say('keepEditing')}
      </Button>
      <Button variant="filled" color="bad" onClick={discard}>
        {say('discard')}
      </Button>
    </div>
  ) : isReadOnly ? (
    <>
      <span className={classes.grow} />
      <Button onClick={close}>{say('close')}</Button>
    </>
  ) : (
    <>
      {props.footer}
      <span className={classes.grow} />
      <Button onClick={close} disabled={busy}>
        {say('cancel')}
      </Button>
      <Button
        variant="filled"
        type="submit"
        form="sheet-form"
        loading={busy}
        disabled={props.loading || props.loadError !== undefined}
        title="Ctrl+Enter"
      >
        {props.submitLabel ?? say('save')}
      </Button>
    </>
  )
  return (
    <Sheet
      opened
      onClose={close}
      title={props.title}
      subtitle={props.subtitle}
      name={props.subtitle ?? props.title}
      remark={error && !guard ? <Failure error={error} /> : undefined}
      footer={buttons}
      {...(props.loading === undefined ? {} : { loading: props.loading })}
      error={props.loadError}
      {...(props.onRetry ? { onRetry: props.onRetry } : {})}
      {...(props.width === undefined ? {} : { width: props.width })}
    >
      <form
        id="sheet-form"
        ref={element}
        noValidate
        className={classes.form}
        onSubmit={props.form.onSubmit(save, (errors) => {
          props.onInvalid?.(errors ?? {})
          focusFirstInvalid(element.current)
        })}
      >
        {props.tabs}
        {isReadOnly ? (
          // Disabled fields take no focus: without one the sheet could not be scrolled by keyboard.
          <ScrollFrame label={say('readOnly')}>
            <fieldset disabled className={classes.readOnly}>
              <p role="note">
                <Icon name="eye" size={14} /> {say('readOnly')}
              </p>
              {props.children}
            </fieldset>
          </ScrollFrame>
        ) : (
          props.children
        )}
      </form>
    </Sheet>
  )
}
