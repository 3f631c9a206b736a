import { Button, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { Markdown } from '../../components/markdown/markdown.tsx'
import { ErrorState } from '../../components/states.tsx'
import { calls, type ReleaseCheck, type SystemInfo } from '../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { useSettingMessages } from './messages.ts'
import classes from './settings.module.css'

const engineNames = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MySQL / MariaDB' } as const

const Facts = ({ info }: { info: SystemInfo }) => {
  const say = useSettingMessages()
  const facts = [
    [
      say('version'),
      <span key="version" className="mono">
        {info.version}
      </span>,
    ],
    [say('started'), <TimeText key="started" at={info.start_time} />],
    [say('node'), say(info.node_type === 'slave' ? 'nodeSlave' : 'nodeMaster', { name: info.node_name })],
    [say('database'), engineNames[info.database]],
    [say('logDatabase'), info.log_database ? engineNames[info.log_database] : say('logDatabaseSame')],
    [say('redis'), say(info.redis ? 'redisYes' : 'redisNo')],
    [say('runtime'), info.runtime],
  ] as const
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const Finding = ({ check }: { check: ReleaseCheck }) => {
  const say = useSettingMessages()
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

/** This node's version and system, and a newer version if there is one. */
export const SystemInfoCard = () => {
  const say = useSettingMessages()
  const info = useEndpoint(calls.getSystemInfo)
  const [found, setFound] = useState<ReleaseCheck>()
  const check = useAction(calls.checkReleases, { onDone: (check) => setFound(check) })
  return (
    <section className={`panel ${classes.card}`} aria-labelledby="settings-system">
      <h2 id="settings-system">{say('system')}</h2>
      {info.isPending && <Skeleton h={140} />}
      {info.error && !info.data && <ErrorState error={info.error} onRetry={() => void info.refetch()} />}
      {info.data && <Facts info={info.data} />}
      <div className={classes.foot}>
        {found && (
          <div className={classes.finding} role="status">
            <Finding check={found} />
          </div>
        )}
        <div className={classes.footActs}>
          <Button loading={check.busy} onClick={() => void check.run()}>
            {say('checkUpdates')}
          </Button>
        </div>
      </div>
    </section>
  )
}
