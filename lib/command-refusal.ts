/** What a command will not do; the message is for whoever gave it, who is at the keyboard of this machine. */
export class CommandRefusal extends Error {}
