import type { TaskOptions } from '../../relay/tasks/ports.ts'
import type { OptionSnapshot } from './snapshot.ts'

/** Options about drawings, as they are at present. */
export const taskOptions =
  (snapshot: () => OptionSnapshot): (() => TaskOptions) =>
  () => {
    const values = snapshot()
    return {
      notify: values.MjNotifyEnabled,
      accountFilter: values.MjAccountFilterEnabled,
      clearModes: values.MjModeClearEnabled,
      forwardImages: values.MjForwardUrlEnabled,
      needsSuccess: values.MjActionCheckSuccessEnabled,
      serverAddress: values.ServerAddress.replace(/\/+$/, ''),
    }
  }
