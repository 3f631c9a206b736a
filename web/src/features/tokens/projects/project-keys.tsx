import { Link } from '@tanstack/react-router'
import { Quota } from '../../../components/display/quota.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { tokenStatus } from '../../../lib/api/contract.ts'
import { useTokenMessages } from '../messages.ts'
import classes from '../tokens.module.css'
import { useOwnProjects } from './payer-select.tsx'

/** The reader's keys for which organisations pay, each with its project; nothing where there are none. */
export const ProjectKeys = () => {
  const say = useTokenMessages()
  const { data } = useOwnProjects()
  if (!data?.keys.length) return null
  return (
    <section className={`panel ${classes.projectKeys}`} aria-label={say('projectKeys')}>
      <h2>{say('projectKeys')}</h2>
      <ul>
        {data.keys.map((key) => (
          <li key={key.id}>
            <span className={classes.projectKey}>
              <span className="strong">{key.name}</span> <span className="mono muted">sk-{key.key}</span>
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
          </li>
        ))}
      </ul>
    </section>
  )
}
