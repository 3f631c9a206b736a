import type { ReactNode } from 'react'
import classes from './form-part.module.css'

/** Fields of a form that belong together, under a heading. */
export const FormPart = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={classes.part}>
    <legend>{title}</legend>
    {children}
  </fieldset>
)

/** Fields side by side where there is room, below each other elsewhere. */
export const FieldPair = ({ children }: { children: ReactNode }) => <div className={classes.pair}>{children}</div>
