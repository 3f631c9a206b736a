import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CopyText } from '../copy/copy-text.tsx'
import { TimeText } from '../display/time/time-text.tsx'
import classes from './open-records.module.css'

interface OpenRecordsProps {
  /** Id of the heading in the document. */
  readonly name: string
  readonly title: string
  readonly text: string
  /** Words of the button that shows and hides the list. */
  readonly show: string
  readonly hide: string
  /** Stands below a list that is cut. */
  readonly more?: string | undefined
  /** One `OpenRecord` for each. */
  readonly children: ReactNode
}

/** A panel over the log about records that wait for an operator; the list is folded at first. */
export const OpenRecords = ({ name, title, text, show, hide, more, children }: OpenRecordsProps) => {
  const [opened, setOpened] = useState(false)
  return (
    <section className={`panel ${classes.panel}`} aria-labelledby={name}>
      <div className={classes.head}>
        <h2 id={name}>{title}</h2>
        <Button size="compact-sm" variant="default" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {opened ? hide : show}
        </Button>
      </div>
      <p className={`faint ${classes.text}`}>{text}</p>
      {opened && <ul className={classes.list}>{children}</ul>}
      {opened && more !== undefined && <p className="faint">{more}</p>}
    </section>
  )
}

interface OpenRecordProps {
  readonly requestId: string
  /** Unix seconds. */
  readonly at: number
  /** In one line behind id and time. */
  readonly facts: ReactNode
  readonly reason: { readonly label: string; readonly text: ReactNode }
  /** Buttons. */
  readonly acts: ReactNode
  /** Below the buttons. */
  readonly children?: ReactNode
}

/** One record of the list: facts, why it waits, and buttons. */
export const OpenRecord = ({ requestId, at, facts, reason, acts, children }: OpenRecordProps) => (
  <li className={classes.record}>
    <div className={classes.facts}>
      <CopyText text={requestId} name={requestId} />
      <TimeText at={at} />
      {facts}
    </div>
    <p className={classes.reason}>
      <span className="faint">{reason.label}: </span>
      {reason.text}
    </p>
    <div className={classes.acts}>{acts}</div>
    {children}
  </li>
)
