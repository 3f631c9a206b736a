import { Link } from '@tanstack/react-router'
import { StatusBadge } from '#web/components/display/status-badge.tsx'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import type { LiveChannel, LivePicture } from '#web/lib/api/contract.ts'
import { formatSuccess } from '#web/lib/text/format.ts'
import { formatMinute } from '#web/lib/text/format-time.ts'
import { refusalText } from '#web/lib/text/refusal-text.ts'
import { useTimeZone } from '#web/lib/time/time-zone.ts'
import classes from './live.module.css'
import { useLiveMessages } from './messages.ts'
import { dash, msText } from './texts.ts'

const tones = {
  disabled: 'bad',
  failing: 'warn',
  cooling: 'warn',
  key_refused: 'warn',
  balance_low: 'warn',
  unpriced: 'warn',
} as const

/** Why a channel is in trouble, in one line. */
const useReason = () => {
  const say = useLiveMessages()
  return ({ status, reason, avoided_models: models, ...fields }: LiveChannel): string => {
    const failure = [status > 0 ? String(status) : '', refusalText(reason, fields)]
      .filter((part) => part !== '')
      .join(' ')
    const avoided = models.length === 0 ? '' : say('avoidedModels', { models: models.join(', ') })
    return [avoided, failure].filter((part) => part !== '').join(': ') || dash
  }
}

/** Channels that need attention, and why. */
export const TroubledChannels = ({ channels }: { channels: LivePicture['channels'] }) => {
  const say = useLiveMessages()
  const zone = useTimeZone()
  const reasonOf = useReason()
  const troubled = channels.in_trouble
  return (
    <section className="panel">
      <div className={classes.head}>
        <h2>{say('channelsInTrouble')}</h2>
        <span>{say('channelsOf', { count: channels.needing_attention, all: channels.all })}</span>
        <Link to="/channel" search={{ attention: '1' } as never}>
          {say('allChannels')}
        </Link>
      </div>
      {troubled.length === 0 ? (
        <p className={classes.empty}>{say('noTrouble')}</p>
      ) : (
        <ScrollFrame className={classes.frame} label={say('channelsInTrouble')}>
          <table className={`${classes.table} num`}>
            <thead>
              <tr>
                <th scope="col" data-text>
                  {say('channel')}
                </th>
                <th scope="col" data-text>
                  {say('state')}
                </th>
                <th scope="col" data-text>
                  {say('why')}
                </th>
                <th scope="col">{say('since')}</th>
                <th scope="col">{say('success')}</th>
                <th scope="col">{say('firstTokenColumn')}</th>
                <th scope="col">
                  <span className="visually-hidden">{say('open')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {troubled.map((channel) => (
                <tr key={channel.id}>
                  <th scope="row" data-text>
                    {channel.name}
                  </th>
                  <td data-text>
                    <span className={classes.reasons}>
                      {channel.reasons.map((reason) => (
                        <StatusBadge key={reason} tone={tones[reason]} label={say(reason)} />
                      ))}
                    </span>
                  </td>
                  <td data-text className={classes.why} title={reasonOf(channel)}>
                    {reasonOf(channel)}
                  </td>
                  <td>{channel.failed_at === 0 ? dash : formatMinute(channel.failed_at, zone)}</td>
                  <td>{channel.attempts === 0 ? dash : formatSuccess(1 - channel.failed / channel.attempts)}</td>
                  <td>{msText(channel.first_ms)}</td>
                  <td>
                    <Link to="/channel/$id" params={{ id: String(channel.id) }}>
                      {say('open')}
                    </Link>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollFrame>
      )}
    </section>
  )
}
