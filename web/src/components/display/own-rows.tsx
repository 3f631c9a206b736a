import type { ReactNode } from 'react'
import classes from './own-rows.module.css'

/** A short list of things that belong to the reader, such as sessions or passkeys; its children are `li`. */
export const OwnRows = ({ children }: { children: ReactNode }) => <ul className={classes.rows}>{children}</ul>

interface RowWordsProps {
  /** In bold; several words wrap, a long one breaks. */
  readonly name: string
  /** The whole of what the name shortens. */
  readonly title?: string
  /** Beside the name. */
  readonly badge?: ReactNode
  /** The quiet line below. */
  readonly children: ReactNode
}

/** Name and facts of a row, between its icon and its buttons. */
export const RowWords = ({ name, title, badge, children }: RowWordsProps) => (
  <div className={classes.words}>
    <strong title={title}>{name}</strong>
    {badge}
    <p>{children}</p>
  </div>
)
