import { CloseButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useLatest } from '../lib/loading/latest.ts'
import { useTitleOf } from '../lib/url/page-object.ts'
import classes from './beside-sheet.module.css'
import { useUiMessages } from './messages.ts'
import { Sheet } from './sheet.tsx'
import { ErrorState } from './states.tsx'

export interface BesideSheetProps {
  onClose: () => void
  /** Element that gets the focus on closing; by default the one that had it before. */
  returnTo?: () => HTMLElement | null
  /** Left of title and subtitle, as a logo. */
  mark?: ReactNode
  title: ReactNode
  /** The accessible name, and the subject in the browser's title. */
  name: string
  subtitle?: ReactNode
  /** Beside the close button. */
  actions?: ReactNode
  /** Under the title, above what scrolls. */
  strip?: ReactNode
  loading?: boolean
  error?: unknown
  children?: ReactNode
}

const Panel = (props: BesideSheetProps) => {
  const say = useUiMessages()
  const panel = useRef<HTMLDivElement>(null)
  useTitleOf(props.name)
  // The element that had the focus gets it back when the sheet closes.
  const latest = useLatest(props)
  useEffect(() => {
    const before = document.activeElement
    panel.current?.focus()
    return () => {
      const back = latest.current.returnTo?.() ?? before
      if (back instanceof HTMLElement && back.isConnected) back.focus()
    }
  }, [latest])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    props.onClose()
  }
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label={props.name}
      tabIndex={-1}
      className={classes.panel}
      onKeyDown={onKeyDown}
    >
      <div className={classes.head}>
        {props.mark && <span className={classes.mark}>{props.mark}</span>}
        <div className={classes.names}>
          <h2 className={classes.title}>{props.title}</h2>
          {props.subtitle && <div className={classes.subtitle}>{props.subtitle}</div>}
        </div>
        {props.actions}
        <CloseButton onClick={props.onClose} aria-label={say('close')} size={32} />
      </div>
      {props.strip}
      <div className={classes.body}>{props.error ? <ErrorState error={props.error} /> : props.children}</div>
    </div>
  )
}

/**
 * A sheet under the header without a veil: the list beside it stays usable, and choosing another row changes what it shows.
 * On a phone it is the usual sheet and fills the screen.
 */
export const BesideSheet = (props: BesideSheetProps) => {
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  if (!phone) return createPortal(<Panel {...props} />, document.body)
  return (
    <Sheet
      opened
      onClose={props.onClose}
      title={
        props.mark ? (
          <span className={classes.marked}>
            {props.mark}
            {props.title}
          </span>
        ) : (
          props.title
        )
      }
      name={props.name}
      subtitle={props.subtitle}
      actions={props.actions}
      loading={props.loading ?? false}
      error={props.error}
    >
      {props.strip}
      {props.children}
    </Sheet>
  )
}
