import { useMemo } from 'react'
import { textDifference } from '../../lib/text/text-difference.ts'
import classes from './comparison.module.css'

/** Two texts in one, with the words that only one of them has marked as removed and added. */
export const TextDifference = ({ before, after }: { before: string; after: string }) => {
  const pieces = useMemo(() => textDifference(before, after), [before, after])
  return (
    <p className={classes.difference}>
      {pieces.map(({ kind, text }, index) => {
        const Tag = kind === 'removed' ? 'del' : kind === 'added' ? 'ins' : 'span'
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of two fixed texts never move
        return <Tag key={index}>{text}</Tag>
      })}
    </p>
  )
}
