import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './figures.module.css'

export interface Figure {
  label: string
  /** Undefined draws the grey shape of a figure that is on its way. */
  value: ReactNode | undefined
  unit?: ReactNode
  tone?: 'bad' | 'warn' | 'good'
}

/** A strip of at most five figures worth watching. */
export const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <dl className={classes.strip}>
    {figures.map((figure) => (
      <div key={figure.label}>
        <dt>{figure.label}</dt>
        <dd className="num" data-tone={figure.tone}>
          {figure.value === undefined ? <Skeleton h={20} w={96} my={4} /> : figure.value}
          {figure.value !== undefined && figure.unit !== undefined && <small>{figure.unit}</small>}
        </dd>
      </div>
    ))}
  </dl>
)
