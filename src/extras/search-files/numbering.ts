import { Filters } from "../../engine/filters.js";
import { Workspace } from "../../engine/sets.js";
import type { ColumnValues } from "./column-values.js";
import type { SlotOrders } from "./slot-orders.js";

/** The listings by their numbers, which are positions in the default order, with the values and sets that have them. */
export class Numbering {
  readonly orders: SlotOrders;
  readonly values: ColumnValues;
  /** Adds the order by date. */
  readonly needRecent: () => Promise<void>;
  readonly space: Workspace;
  readonly filters: Filters;

  constructor(orders: SlotOrders, values: ColumnValues, needRecent: () => Promise<void>) {
    this.orders = orders;
    this.values = values;
    this.needRecent = needRecent;
    this.space = new Workspace(orders.ranking.size);
    this.filters = new Filters(this.space, values.table, orders.ranking.orders);
  }
}
