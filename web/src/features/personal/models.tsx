import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { CopyDialog, useCopy } from '../../components/copy/copy-text.tsx'
import { Section } from '../../components/panel-section.tsx'
import { ErrorState } from '../../components/states.tsx'
import { calls } from '../../lib/api/contract.ts'
import { readText, writeText } from '../../lib/preferences/storage.ts'
import { useEndpoint } from '../../lib/query.ts'
import { usePersonalMessages } from './messages.ts'
import classes from './personal.module.css'

/** More names than this are folded away. */
const shownAtFirst = 10

/** The models the account can use; a click copies a name. The open state is stored. */
export const Models = () => {
  const say = usePersonalMessages()
  const { copy, byHand } = useCopy()
  const models = useEndpoint(calls.getOwnModels)
  const [expanded, setExpanded] = useState(readText('modelsExpanded') === 'true')
  const names = models.data ?? []
  const toggle = (): void => {
    writeText('modelsExpanded', String(!expanded))
    setExpanded(!expanded)
  }
  return (
    <Section id="models" title={say('models')}>
      {models.isPending && <Skeleton h={88} />}
      {models.error && !models.data && <ErrorState error={models.error} onRetry={() => void models.refetch()} />}
      {models.data?.length === 0 && <p className="muted">{say('modelsNone')}</p>}
      <ul className={classes.models}>
        {(expanded ? names : names.slice(0, shownAtFirst)).map((name) => (
          <li key={name}>
            <button type="button" aria-label={say('modelCopy', { name })} onClick={() => void copy(name)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      {names.length > shownAtFirst && (
        <button type="button" className="text-button" aria-expanded={expanded} onClick={toggle}>
          {expanded ? say('collapse') : say('more', { count: names.length - shownAtFirst })}
        </button>
      )}
      <CopyDialog {...byHand} />
    </Section>
  )
}
