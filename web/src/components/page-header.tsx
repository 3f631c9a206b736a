import type { ReactNode } from 'react'
import { useReadOnly } from '../lib/api/staff.ts'
import classes from './page-header.module.css'

/** A page's title with one quiet sentence beside it, below it where it does not fit; its actions are on the right, disabled where
 * the page may only be looked at. */
export const PageHeader = ({ title, text, actions }: { title: string; text?: ReactNode; actions?: ReactNode }) => {
  const isReadOnly = useReadOnly()
  return (
    <div className={classes.head}>
      <div className={classes.words}>
        <h1>{title}</h1>
        {text && <p>{text}</p>}
      </div>
      {actions && (
        <fieldset className={classes.actions} disabled={isReadOnly}>
          {actions}
        </fieldset>
      )}
    </div>
  )
}

/** Place for a list's own tools among the actions of its page; give the element to the table's `toolsAt`. */
export const ToolsPlace = ({ onPlace }: { onPlace: (element: HTMLElement | null) => void }) => (
  <span ref={onPlace} className={classes.tools} />
)
