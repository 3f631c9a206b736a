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

interface FiguresProps {
  figures: readonly Figure[]
  /** Gives the notes of the figures a line of their own, for long notes. */
  notesBelow?: boolean
}

/** A strip of at most six figures worth watching. */
export const Figures = ({ figures, notesBelow }: FiguresProps) => (
  <dl className={classes.strip} data-below={notesBelow || undefined}>
    {figures.map((figure) => (
      <div key={figure.label}>
        <dt>{figure.label}</dt>
        <dd className="num" data-tone={figure.tone} data-noted={'unit' in figure || undefined}>
          {figure.value === undefined ? <Skeleton h={20} w={96} my={4} /> : figure.value}
          {figure.value !== undefined && figure.unit !== undefined && <small>{figure.unit}</small>}
        </dd>
      </div>
    ))}
  </dl>
)
