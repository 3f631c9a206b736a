import { useState } from 'react'
import { type Channel, calls, channelStatus } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { notifyInfo } from '../../../lib/notify.tsx'
import { useAction } from '../../../lib/query.ts'
import { useChannelMessages } from '../messages.ts'
import type { Removal } from './remove-dialog.tsx'

const RemoveDialog = onDemand(async () => (await import('./remove-dialog.tsx')).RemoveDialog)

export interface RemoveChannels {
  rows: (rows: readonly Channel[], clear: () => void) => void
  /** Counts the disabled channels, then asks. */
  disabled: () => Promise<void>
  copy: (channel: Channel) => void
  /** Deletion that waits for confirmation. */
  removal: Removal | undefined
  close: () => void
}

const off = `${channelStatus.disabled},${channelStatus.autoDisabled}`

/** Deletes and copies channels. Render `<RemoveChannelsDialog {...remove} />` once: it asks first. */
export const useRemoveChannels = (): RemoveChannels => {
  const say = useChannelMessages()
  const [pending, setPending] = useState<Removal>()
  const countDisabled = useAction(calls.browseChannels, {
    onDone: ({ total }) => {
      if (total === 0) notifyInfo(say('noDisabled'))
      else setPending({ kind: 'disabled', count: total })
    },
  })
  return {
    rows: (rows, clear) => setPending({ kind: 'rows', rows, clear }),
    disabled: async () => {
      await countDisabled.run({ query: { status: off } })
    },
    copy: (channel) => setPending({ kind: 'copy', channel }),
    removal: pending,
    close: () => setPending(undefined),
  }
}

/** Asks before channels are deleted or copied; names them and the consequences. */
export const RemoveChannelsDialog = ({ removal, close }: Pick<RemoveChannels, 'removal' | 'close'>) =>
  removal && <RemoveDialog removal={removal} onClose={close} />
