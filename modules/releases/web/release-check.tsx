import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '#web/components/display/icon.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { Markdown } from '#web/components/markdown/markdown.tsx'
import { type ReleaseCheck as Check, calls } from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import { useReleaseMessages } from './messages.ts'
import classes from './releases.module.css'

const Finding = ({ check }: { check: Check }) => {
  const say = useReleaseMessages()
  const { newest } = check
  if (!check.configured)
    return (
      <p>
        {say('notConfigured')}{' '}
        <Link to="/setting/$section" params={{ section: 'releases' }} search={{ field: 'ReleaseListAddress' }}>
          {say('configure')}
        </Link>
      </p>
    )
  if (!newest) return <p>{say('noReleases')}</p>
  if (!check.newer) return <p>{say('newest', { version: check.current })}</p>
  return (
    <>
      <h3>{say('newVersion', { version: newest.tag })}</h3>
      {newest.published_at > 0 && (
        <p className="faint">
          {say('published')} <TimeText at={newest.published_at} />
        </p>
      )}
      <div className={classes.notes}>
        <Markdown text={newest.notes} />
      </div>
      {newest.url !== '' && (
        <a href={newest.url} target="_blank" rel="noopener noreferrer">
          {say('details')} <Icon name="external" size={12} />
        </a>
      )}
    </>
  )
}

/** Asks for a newer version, and shows it. */
export const ReleaseCheck = () => {
  const say = useReleaseMessages()
  const [found, setFound] = useState<Check>()
  const check = useAction(calls.checkReleases, { onDone: (answer) => setFound(answer) })
  return (
    <div className={classes.foot}>
      {found && (
        <div className={classes.finding} role="status">
          <Finding check={found} />
        </div>
      )}
      <Button loading={check.busy} onClick={() => void check.run()}>
        {say('checkUpdates')}
      </Button>
    </div>
  )
}
