import { Skeleton } from '@mantine/core'
import classes from './catalogue.module.css'

/** Keeps the place of the filters until the values to choose from are known. */
export const WaitingFilters = () => (
  <div className={classes.filters} aria-hidden="true">
    <Skeleton h={480} />
  </div>
)
