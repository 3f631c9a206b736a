import { ActionIcon } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SecretText } from '../../../components/copy/secret-text.tsx'
import { Hint } from '../../../components/display/hint.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { call } from '../../../lib/api/api.ts'
import { calls, type OwnProjects, tokenStatus } from '../../../lib/api/contract.ts'
import { RotateProjectKey } from '../keys/rotate.tsx'
import { useTokenMessages } from '../messages.ts'
import classes from '../tokens.module.css'
import { useOwnProjects } from './payer-select.tsx'

type OwnKey = OwnProjects['keys'][number]

const reveal = async ({ id, organisation_id }: OwnKey): Promise<string> => {
  const { key } = await call(calls.revealProjectKey, { params: { id: organisation_id }, body: { key_id: id } })
  return `sk-${key}`
}

/** The reader's keys for which organisations pay, each with its secret and its project; nothing where there are none. */
export const ProjectKeys = () => {
  const say = useTokenMessages()
  const { data } = useOwnProjects()
  const [rotated, setRotated] = useState<OwnKey>()
  const labels = { show: say('show'), hide: say('hide'), copy: say('copyKey') }
  if (!data?.keys.length) return null
  return (
    <section className={`panel ${classes.projectKeys}`} aria-label={say('projectKeys')}>
      <h2>{say('projectKeys')}</h2>
      <ul>
        {data.keys.map((key) => (
          <li key={key.id}>
            <span className={classes.projectKey}>
              <span className="strong">{key.name}</span>{' '}
              <SecretText masked={`sk-${key.key}`} reveal={() => reveal(key)} labels={labels} />
              <Hint label={say('rotate')}>
                <ActionIcon size={26} aria-label={say('rotate')} onClick={() => setRotated(key)}>
                  <Icon name="refresh" size={14} />
                </ActionIcon>
              </Hint>
            </span>
            <span className={classes.projectPlace}>
              {key.status !== tokenStatus.enabled && <StatusBadge tone="neutral" label={say('disabled')} />}
              <Link
                to="/organisation/$id"
                params={{ id: String(key.organisation_id) }}
                search={{ tab: 'keys', keyword: key.name }}
              >
                {key.organisation} · {key.project}
              </Link>
              <Quota value={key.used_quota} />
            </span>
            {key.shared && <p className={`muted ${classes.projectNote}`}>{say('sharedKey')}</p>}
          </li>
        ))}
      </ul>
      {rotated && <RotateProjectKey token={rotated} onClose={() => setRotated(undefined)} />}
    </section>
  )
}
