import type { UseFormReturnType } from '@mantine/form'
import { createContext, useContext } from 'react'
import type { ChannelType } from '../../../lib/api/contract.ts'
import type { ChannelValues } from './fields.ts'

/** The form of a channel, for its tabs and fields. */
export interface ChannelForm {
  readonly form: UseFormReturnType<ChannelValues>
  readonly type: ChannelType | undefined
  /** Values as they are stored; undefined while a channel is made. */
  readonly saved: ChannelValues | undefined
}

export const ChannelFormContext = createContext<ChannelForm | undefined>(undefined)

export const useChannelForm = (): ChannelForm => {
  const form = useContext(ChannelFormContext)
  if (!form) throw new Error('fields of channels stand in the form of a channel')
  return form
}
