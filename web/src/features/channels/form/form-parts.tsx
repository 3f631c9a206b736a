import type { UseFormReturnType } from '@mantine/form'
import { createContext, type ReactNode, useContext } from 'react'
import type { ChannelType } from '../../../lib/api/contract.ts'
import type { ChannelValues } from './fields.ts'
import classes from './form.module.css'

/** The form of a channel, for its tabs and fields. */
export interface ChannelFormParts {
  readonly form: UseFormReturnType<ChannelValues>
  readonly type: ChannelType | undefined
  /** Values as they are stored; undefined while a channel is made. */
  readonly saved: ChannelValues | undefined
}

export const ChannelFormContext = createContext<ChannelFormParts | undefined>(undefined)

export const useChannelForm = (): ChannelFormParts => {
  const form = useContext(ChannelFormContext)
  if (!form) throw new Error('fields of channels stand in the form of a channel')
  return form
}

/** Fields of a tab that belong together. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={classes.section}>
    <legend>{title}</legend>
    {children}
  </fieldset>
)

/** A label with the field's name in the API as its tooltip, for operators who know it from there. */
export const FieldName = ({ name, children }: { name: string; children: string }) => (
  <span title={name}>{children}</span>
)
