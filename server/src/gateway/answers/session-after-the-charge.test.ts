import { expect, it } from 'vitest'
import { openSession, responseCreated, responseDone } from '../../../test/support/gateway/realtime.ts'
import {
  channel,
  gateway,
  record,
  records,
  reopen,
  upstream,
  usage,
  useSessions,
} from '../../../test/support/gateway/sessions.ts'
import { openTestChannels } from '../../../test/support/relay/ports.ts'
import { AppError } from '../../lib/app-error.ts'

/** A session that has been charged is not recorded a second time, whatever goes wrong at its end. */

useSessions()

it('ends as usual and has one record where an observer of charges throws', async () => {
  const charged = (): void => {
    throw new Error('no room')
  }
  const logged: string[] = []
  await reopen({
    channels: Object.assign(openTestChannels(channel()), { charged }),
    log: (event) => logged.push(event),
  })
  const client = await openSession(gateway.url)
  upstream.sessions[0]?.say(responseCreated(), responseDone(usage))
  await client.next('response.done')
  upstream.sessions[0]?.socket.close(1000, 'bye')
  expect(await client.closed).toEqual({ code: 1000, reason: 'bye' })
  await gateway.listener.over()
  expect(records().map(({ kind }) => kind)).toEqual(['charge'])
  expect(logged).toEqual(['charge_listener_failed'])
})

it('costs nothing and ends with an error where it cannot be recorded', async () => {
  const client = await openSession(gateway.url)
  gateway.parts.recorder.beforeEnd = ({ kind }) => {
    if (kind === 'charge') throw new AppError('recording_failed')
  }
  upstream.sessions[0]?.say(responseCreated(), responseDone(usage))
  await client.next('response.done')
  upstream.sessions[0]?.socket.close(1000)
  expect(await client.closed).toMatchObject({ code: 1011 })
  expect(await record()).toMatchObject({ kind: 'error', quota: 0 })
  await gateway.listener.over()
  expect(records()).toHaveLength(1)
})
