import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useReadOnly } from '../lib/api/staff.ts'
import { BesideSheet } from './beside-sheet.tsx'
import classes from './preview-sheet.module.css'

interface PreviewSheetProps {
  name: string
  subtitle: ReactNode
  /** Absent where the reader may not edit it; not shown on a page that may only be looked at. */
  edit?: { label: string; onClick: () => void } | undefined
  /** The page about it, which has everything. */
  page: { label: string; to: '/token/$id' | '/user/$id' | '/channel/$id'; id: number }
  /** States, above the panels. */
  states?: ReactNode
  error?: unknown
  onClose: () => void
  children: ReactNode
}

/** A row beside its list: states, figures and latest calls in panels, with ways to edit it and to open its page. */
export const PreviewSheet = ({ name, subtitle, edit, page, states, error, onClose, children }: PreviewSheetProps) => {
  const isReadOnly = useReadOnly()
  // Two buttons beside a name leave nothing of it on a phone.
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const buttons = (
    <>
      {edit && !isReadOnly && (
        <Button size="xs" onClick={edit.onClick}>
          {edit.label}
        </Button>
      )}
      <Button
        size="xs"
        variant="filled"
        renderRoot={(root) => <Link to={page.to} params={{ id: String(page.id) }} {...root} />}
      >
        {page.label}
      </Button>
    </>
  )
  return (
    <BesideSheet
      onClose={onClose}
      title={name}
      name={name}
      subtitle={subtitle}
      error={error}
      {...(isNarrow ? { strip: <div className={classes.strip}>{buttons}</div> } : { actions: buttons })}
    >
      <div className={classes.preview}>
        {states && <div className={classes.states}>{states}</div>}
        {children}
      </div>
    </BesideSheet>
  )
}
