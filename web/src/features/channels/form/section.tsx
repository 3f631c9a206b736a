import type { ReactNode } from 'react'
import classes from './form.module.css'

/** Fields of a tab that belong together. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={classes.section}>
    <legend>{title}</legend>
    {children}
  </fieldset>
)
