import { type ReactNode, useState } from 'react'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { call } from '../../lib/api.ts'
import { type Channel, calls, channelStatus } from '../../lib/contract.ts'
import { notifyDone, notifyFailure, notifyInfo } from '../../lib/notify.tsx'
import { useRefresh } from '../../lib/query.ts'
import { useChannelWords } from './messages.ts'

type Asked =
  | { kind: 'rows'; rows: readonly Channel[]; clear: () => void }
  | { kind: 'disabled'; count: number }
  | { kind: 'copy'; channel: Channel }

export interface RemoveChannels {
  rows: (rows: readonly Channel[], clear: () => void) => void
  /** Counts the disabled channels, then asks. */
  disabled: () => Promise<void>
  copy: (channel: Channel) => void
  /** Render once. */
  dialog: ReactNode
}

const off = `${channelStatus.disabled},${channelStatus.autoDisabled}`

/** Asks before channels are deleted or copied, naming them and what follows. */
export const useRemoveChannels = (): RemoveChannels => {
  const say = useChannelWords()
  const refresh = useRefresh()
  const [asked, setAsked] = useState<Asked>()

  const attempt = async (act: () => Promise<string>): Promise<void> => {
    try {
      notifyDone(await act())
    } catch (error) {
      notifyFailure(error)
      throw error
    } finally {
      await refresh(calls.browseChannels, calls.searchChannels)
    }
  }
  const countRemoved = async (rows: readonly Channel[]): Promise<number> => {
    const [first] = rows
    if (rows.length !== 1 || !first) return call(calls.deleteChannels, { body: { ids: rows.map(({ id }) => id) } })
    await call(calls.deleteChannel, { params: { id: first.id } })
    return 1
  }
  const remove = (rows: readonly Channel[], clear: () => void) => () =>
    attempt(async () => {
      const count = await countRemoved(rows)
      clear()
      return say('deletedMany', { count })
    })
  const removeDisabled = () =>
    attempt(async () => say('deletedMany', { count: await call(calls.deleteDisabledChannels) }))
  const copy = (channel: Channel) => () =>
    attempt(async () => {
      await call(calls.copyChannel, { params: { id: channel.id } })
      return say('copied')
    })

  const common = { opened: asked !== undefined, onClose: () => setAsked(undefined) }
  const dialogOf = (): ReactNode => {
    if (!asked) return null
    if (asked.kind === 'copy') {
      const { channel } = asked
      return (
        <ConfirmAction
          {...common}
          title={say('copyTitle', { name: channel.name })}
          effect={say('copyEffect')}
          confirmLabel={say('copyConfirm')}
          onConfirm={copy(channel)}
        />
      )
    }
    if (asked.kind === 'disabled') {
      const { count } = asked
      return (
        <ConfirmAction
          {...common}
          danger
          title={say('deleteDisabledTitle', { count })}
          effect={say('deleteDisabledEffect')}
          confirmLabel={say('deleteDisabledConfirm', { count })}
          typeToConfirm={String(count)}
          typeLabel={say('deleteDisabledType', { count })}
          onConfirm={removeDisabled}
        />
      )
    }
    const { rows, clear } = asked
    const name = rows[0]?.name ?? ''
    return (
      <ConfirmAction
        {...common}
        danger
        title={rows.length === 1 ? say('deleteTitle', { name }) : say('deleteManyTitle', { count: rows.length })}
        effect={say('deleteEffect')}
        confirmLabel={say('deleteConfirm')}
        onConfirm={remove(rows, clear)}
      />
    )
  }
  return {
    rows: (rows, clear) => setAsked({ kind: 'rows', rows, clear }),
    disabled: async () => {
      try {
        const { total } = await call(calls.browseChannels, { query: { status: off } })
        if (total === 0) notifyInfo(say('noDisabled'))
        else setAsked({ kind: 'disabled', count: total })
      } catch (error) {
        notifyFailure(error)
      }
    },
    copy: (channel) => setAsked({ kind: 'copy', channel }),
    dialog: dialogOf(),
  }
}
