import { Skeleton } from '@mantine/core'
import classes from './keys.module.css'

/** Keeps the place of a channel's single key, the usual case, while the keys are read. */
export const WaitingKeys = () => <Skeleton className={classes.waiting} />
