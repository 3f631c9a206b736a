import type { ReactNode } from 'react'
import classes from './task-log.module.css'

/** Buttons at the foot of the sheet of a task. */
export const SheetActions = ({ children }: { children: ReactNode }) => <div className={classes.foot}>{children}</div>
