/** The owner of the tokens, as the console call knows them. */
export interface Owner {
  readonly id: number
  readonly username: string
  readonly group: string
  readonly ip: string
}
